// The chart of the Metrics tab; uPlot is loaded when it is first looked at. The table below it says the same.

import { loadStyle, watch } from "lib/dom";
import { token } from "lib/theme";

const HEIGHT = 190;
const charts = new WeakMap();

export function startMetrics() {
  watch("[data-plot]", draw, (place) => charts.get(place)?.destroy());
  document.addEventListener("theme-changed", () => document.querySelectorAll("[data-plot]").forEach(draw));
}

async function draw(place) {
  const [{ default: Plot }] = await Promise.all([import("uplot"), loadStyle("uplot.css")]);
  const source = document.getElementById(place.dataset.plot);
  if (!source || !place.isConnected) return;
  charts.get(place)?.destroy();
  const { time, used, all, pending, now } = JSON.parse(source.textContent);
  const extended = (values) => [...values, values.at(-1)];
  const stepped = Plot.paths.stepped({ align: 1 });
  const line = (label, colour, dash) => ({ label, stroke: token(colour), width: 2, dash, paths: stepped, points: { show: false } });
  const axis = { stroke: token("text-quiet"), grid: { stroke: token("edge"), width: 1 }, ticks: { stroke: token("edge") } };
  const options = {
    width: Math.max(260, place.clientWidth),
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false } },
    axes: [{ ...axis, values: (_plot, ticks) => ticks.map((tick) => `${tick} s`) }, { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }],
    series: [
      { label: "s" },
      line(place.dataset.used, "owner-3"),
      line(place.dataset.all, "edge-strong", [6, 4]),
      line(place.dataset.pending, "owner-6", [2, 3]),
    ],
  };
  charts.set(place, new Plot(options, [[...time, Math.max(now, time.at(-1) ?? 0)], extended(used), extended(all), extended(pending)], place));
}
