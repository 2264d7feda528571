// Bundles each entry into static/vendor/<name>.js (ES module, minified) and writes VENDORED.md and the licence texts.
// `node build.mjs --check` builds into memory and fails when a committed file differs.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(here, "../../static/vendor");
const checking = process.argv.includes("--check");
const styles = { "uplot.css": "node_modules/uplot/dist/uPlot.min.css" };

const outputs = new Map(); // path under static/vendor -> text
const packagesOf = new Map(); // path under static/vendor -> sorted package folders

function packageFolder(input) {
  const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match ? match[1] : null;
}

function describe(name) {
  const meta = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
  return { name, version: meta.version, licence: typeof meta.license === "string" ? meta.license : meta.license?.type };
}

function licenceText(name) {
  const folder = join(here, "node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file ? readFileSync(join(folder, file), "utf8") : null;
}

for (const entry of readdirSync(join(here, "entries")).sort()) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: [join("entries", entry)],
    bundle: true,
    format: "esm",
    minify: true,
    target: "es2022",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
    write: false,
    outfile: entry,
  });
  outputs.set(entry, result.outputFiles[0].text);
  packagesOf.set(entry, [...new Set(Object.keys(result.metafile.inputs).map(packageFolder).filter(Boolean))].sort());
}
for (const [name, source] of Object.entries(styles)) {
  outputs.set(name, readFileSync(join(here, source), "utf8").trimEnd() + "\n");
  packagesOf.set(name, [packageFolder(source)]);
}

const rows = [];
const fallbackLicences = [];
for (const [file, text] of [...outputs].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const sha256 = createHash("sha256").update(text).digest("hex");
  for (const name of packagesOf.get(file)) {
    const { version, licence } = describe(name);
    const folder = name.replace("@", "").replace("/", "-");
    const own = licenceText(name);
    if (own) outputs.set(`licences/${folder}.txt`, own.trimEnd() + "\n");
    else fallbackLicences.push(name);
    rows.push(`| ${file} | ${name} | ${version} | ${licence} | ${own ? `licences/${folder}.txt` : "see its package"} | ${sha256} |`);
  }
}
outputs.set(
  "VENDORED.md",
  `# Vendored browser code

Built by \`make vendor\` (tools/vendor: npm lock, esbuild). Never edit these files by hand. Each row is one package inside
one file; the checksum is the file's. cytoscape-dagre's published module carries @dagrejs/dagre (MIT) inside itself.

| file | package | version | licence | licence text | sha256 of the file |
|---|---|---|---|---|---|
${rows.join("\n")}
`,
);
if (fallbackLicences.length) console.warn(`no licence text in: ${[...new Set(fallbackLicences)].join(", ")}`);

const different = [];
for (const [file, text] of outputs) {
  const path = join(target, file);
  const same = existsSync(path) && readFileSync(path, "utf8") === text;
  if (same) continue;
  different.push(file);
  if (!checking) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
if (checking && different.length) {
  console.error(`static/vendor differs from what the lock builds: ${different.join(", ")}. Run make vendor and commit.`);
  process.exit(1);
}
console.log(checking ? "static/vendor matches the lock" : `${relative(process.cwd(), target)}: ${different.length} file(s) written`);
