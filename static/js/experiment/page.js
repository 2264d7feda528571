// The experiment's charts. The tables beside them hold the same figures, so that nothing is only a picture.

import { find, findAll } from "lib/dom";
import { token } from "lib/theme";

const COLOURS = ["owner-1", "owner-3", "owner-6"];
const DASHES = [[], [6, 4], [2, 3]];
const MARK = 7; // pixels

let charts = [];

async function draw() {
  const { default: UPlot } = await import("uplot");
  const data = JSON.parse(find("#experiment-charts").textContent);
  charts.forEach((chart) => chart.destroy());
  charts = findAll("[data-chart]").map((host) => plot(UPlot, host, data[host.dataset.chart]));
}

function plot(UPlot, host, chart) {
  const text = token("text");
  const axis = { stroke: text, grid: { stroke: token("edge") }, ticks: { stroke: token("edge") } };
  const scale = chart.log ? { distr: 3 } : {};
  return new UPlot(
    {
      width: host.clientWidth,
      height: 320,
      scales: { x: { time: false, ...scale }, y: { ...scale, range: chart.log ? undefined : (_u, _low, high) => [0, high * 1.05] } },
      axes: [
        { ...axis, label: chart.xLabel, values: (_u, ticks) => ticks.map((tick) => (tick === null ? "" : String(tick))) },
        { ...axis, label: chart.yLabel, size: 64, values: (_u, ticks) => ticks.map((tick) => (tick === null ? "" : String(tick))) },
      ],
      series: [
        { label: chart.xLabel },
        ...chart.lines.map((line, index) => ({
          label: line.label,
          stroke: token(COLOURS[index]),
          width: 2,
          dash: DASHES[index],
          points: { show: true, size: MARK },
          value: (_u, value) => (value === null ? "–" : value.toFixed(1)),
        })),
      ],
    },
    [chart.x, ...chart.lines.map((line) => line.values)],
    host,
  );
}

draw();
document.addEventListener("theme-changed", draw);
let timer = null;
addEventListener("resize", () => {
  clearTimeout(timer);
  timer = setTimeout(draw, 200);
});
