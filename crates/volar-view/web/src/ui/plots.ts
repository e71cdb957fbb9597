import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Meta, Plot } from "../data/decode";
import type { History } from "../data/history";
import { element, number } from "./dom";
import { colour, onTheme } from "./theme";

const HEIGHT = 190;

/** One diagram, or the transient and the steady part side by side. */
class Diagram {
  readonly root: HTMLElement;
  private readonly panels: Panel[];
  private readonly chips: { chip: HTMLElement; value: HTMLElement }[] = [];
  private readonly nothing = element("li", { hidden: "" }, "0 throughout");
  visible = false;

  constructor(
    readonly plot: Plot,
    private readonly history: History,
    middle: number | null,
    seek: (time: number) => void,
    hover: (time: number | null) => void,
  ) {
    const title = plot.unit ? `${plot.title} (${plot.unit})` : plot.title;
    const legend = element("ul", { class: "legend" });
    plot.series.forEach((series, i) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = `var(--series-${i % 8})`;
      const value = element("span", { class: "value" });
      const chip = element("li", {}, swatch, series.label, value);
      this.chips.push({ chip, value });
      legend.append(chip);
    });
    legend.append(this.nothing);
    const row = element("div", { class: "panels" });
    const split = plot.split && middle !== null;
    const ranges: ([number | null, number | null, string])[] = split
      ? [
          [null, middle, "transient"],
          [middle, null, "steady state"],
        ]
      : [[null, null, ""]];
    this.panels = ranges.map(([from, to, name]) => {
      const panel = new Panel(plot, history, from, to, name, seek, hover);
      row.append(panel.root);
      return panel;
    });
    this.root = element("section", { class: "plot", id: `plot-${plot.id}` }, element("h3", {}, title));
    if (plot.note) this.root.append(element("p", { class: "plot-note" }, plot.note));
    this.root.append(legend, row);
  }

  /** Redraws with all data. */
  refresh(): void {
    const shown = this.plot.series.map((series) => this.hasContent(series.channel));
    this.nothing.hidden = shown.includes(true);
    this.chips.forEach(({ chip }, i) => {
      chip.hidden = !shown[i];
    });
    // A line at zero says more than an empty picture.
    if (!this.nothing.hidden) shown[0] = true;
    for (const panel of this.panels) panel.refresh(shown);
  }

  private hasContent(channel: number): boolean {
    return this.history.frames.some((frame) => {
      const value = frame.values[channel];
      return Number.isFinite(value) && value !== 0;
    });
  }

  /** Marks a time, and tells the values there. */
  mark(time: number): void {
    for (const panel of this.panels) panel.mark(time);
    this.tell(time);
  }

  tell(time: number): void {
    const frame = this.history.frames[this.history.at(time)];
    if (!frame) return;
    this.chips.forEach(({ value }, i) => {
      const text = number(frame.values[this.plot.series[i].channel], 3);
      if (value.textContent !== text) value.textContent = text;
    });
  }

  restyle(): void {
    for (const panel of this.panels) panel.rebuild();
  }

  /** Draws with a width of its own, px, or as wide as there is room. */
  drawAs(width: number | null): void {
    for (const panel of this.panels) panel.fixed = width === null ? null : Math.floor(width / this.panels.length) - 8;
    this.refresh();
    this.restyle();
  }
}

class Panel {
  readonly root = element("div", { class: "panel" });
  private readonly line = element("div", { class: "now" });
  private chart: uPlot | null = null;
  private shown: boolean[] = [];
  private width = 0;
  /** A width that does not follow the page, px. */
  fixed: number | null = null;

  constructor(
    private readonly plot: Plot,
    private readonly history: History,
    private readonly from: number | null,
    private readonly to: number | null,
    name: string,
    private readonly seek: (time: number) => void,
    private readonly hover: (time: number | null) => void,
  ) {
    if (name) this.root.append(element("p", { class: "panel-name" }, name));
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", `${plot.title}${name ? `, ${name}` : ""}, over time`);
    new ResizeObserver(() => {
      const width = this.root.clientWidth;
      if (width === this.width || width === 0 || this.fixed !== null) return;
      this.width = width;
      this.chart?.setSize({ width, height: HEIGHT });
    }).observe(this.root);
  }

  refresh(shown: boolean[]): void {
    const same = this.shown.length === shown.length && shown.every((s, i) => s === this.shown[i]);
    this.shown = shown;
    if (this.chart && same) this.chart.setData(this.data());
    else this.rebuild();
  }

  rebuild(): void {
    if (this.shown.length === 0) return;
    this.chart?.destroy();
    this.width = this.fixed ?? this.root.clientWidth;
    this.chart = new uPlot(this.options(), this.data(), this.root);
    this.chart.over.append(this.line);
    this.chart.over.addEventListener("click", (event) => {
      const chart = this.chart;
      if (chart && chart.select.width === 0) this.seek(chart.posToVal(event.offsetX, "x"));
    });
    this.chart.over.addEventListener("mouseleave", () => this.hover(null));
  }

  mark(time: number): void {
    const chart = this.chart;
    if (!chart || chart.scales.x.min == null || chart.scales.x.max == null) return;
    const inside = time >= chart.scales.x.min && time <= chart.scales.x.max;
    this.line.hidden = !inside;
    if (inside) this.line.style.transform = `translateX(${chart.valToPos(time, "x")}px)`;
  }

  private data(): uPlot.AlignedData {
    const all = this.history.frames;
    const first = this.from === null ? 0 : this.history.at(this.from);
    const last = this.to === null ? all.length - 1 : this.history.at(this.to) + 1;
    const frames = all.slice(first, last + 1);
    const lines = this.plot.series
      .filter((_, i) => this.shown[i])
      .map(({ channel }) =>
        frames.map((frame) => {
          const value = frame.values[channel];
          return Number.isFinite(value) && (!this.plot.log || value > 0) ? value : null;
        }),
      );
    return [frames.map((frame) => frame.time), ...lines];
  }

  private options(): uPlot.Options {
    const decade = (_: uPlot, ticks: number[]) => ticks.map((tick) => (isDecade(tick) ? tick : null));
    const axis = { stroke: colour("muted"), grid: { stroke: colour("grid"), width: 1 }, ticks: { show: false } };
    const label = (ticks: number[]) => ticks.map((tick) => (tick == null ? "" : number(tick, 6)));
    return {
      width: this.width || 300,
      height: HEIGHT,
      legend: { show: false },
      padding: [8, 20, 0, 0],
      // The cursor is shared; zooming one panel leaves the others alone.
      cursor: { sync: { key: "volar", filters: { pub: isMove, sub: isMove } }, points: { size: 6 }, drag: { x: true, y: false } },
      scales: {
        x: { time: false, range: (_, low, high) => this.across(low, high) },
        y: this.plot.log ? { distr: 3, range: decades } : { range: (_, low, high) => roomy(low, high) },
      },
      axes: [
        { ...axis, size: 26, font: FONT, values: (_, ticks) => label(ticks).map((t, i) => (i === ticks.length - 1 ? `${t} s` : t)) },
        {
          ...axis,
          ...(this.plot.log ? { grid: { ...axis.grid, filter: decade }, filter: decade } : {}),
          size: 58,
          font: FONT,
          values: (_, ticks) => label(ticks),
        },
      ],
      series: [
        {},
        ...this.plot.series.flatMap((series, i) =>
          this.shown[i]
            ? [{ label: series.label, stroke: colour(`series-${i % 8}`), width: 1.6, pxAlign: 0, points: { show: false } }]
            : [],
        ),
      ],
      hooks: {
        drawClear: [(chart) => this.shade(chart)],
        setCursor: [
          (chart) => {
            if (chart.cursor.event && chart.cursor.left != null && chart.cursor.left >= 0) {
              this.hover(chart.posToVal(chart.cursor.left, "x"));
            }
          },
        ],
      },
    };
  }

  /** Shades the window in which the summary looks at this plot. */
  private shade(chart: uPlot): void {
    const { window } = this.plot;
    const { min, max } = chart.scales.x;
    if (!window || min == null || max == null) return;
    const place = (time: number) => chart.valToPos(Math.min(Math.max(time, min), max), "x", true);
    const [from, to] = [place(window.from), place(window.to)];
    if (to <= from) return;
    chart.ctx.save();
    chart.ctx.fillStyle = colour("window");
    chart.ctx.fillRect(from, chart.bbox.top, to - from, chart.bbox.height);
    chart.ctx.restore();
  }

  /** The panel's own stretch of time, or what was zoomed to within it. */
  private across(low: number, high: number): [number, number] {
    const from = this.from ?? this.history.start;
    const to = this.to ?? this.history.end;
    const data = this.chart?.data[0] ?? [];
    const zoomed = data.length > 0 && (low > data[0] || high < data[data.length - 1]);
    if (zoomed) return [low, high];
    return [from, to > from ? to : from + 1];
  }
}

function isMove(type: string): boolean {
  return type === "mousemove" || type === "mouseleave";
}

const FONT = "11px system-ui, sans-serif";

function isDecade(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-6;
}

/** What varies by less than a hundredth of its size is shown flat. */
function roomy(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low)) return [0, 1];
  const room = Math.max(0.06 * (high - low), 5e-3 * Math.max(Math.abs(low), Math.abs(high))) || 1;
  const bottom = low >= 0 && low - room < 0.25 * high ? 0 : low - room;
  return [bottom, high + room];
}

function decades(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(high > 0)) return [0.1, 1];
  const top = 10 ** Math.ceil(Math.log10(high));
  const bottom = Math.max(10 ** Math.floor(Math.log10(Math.max(low, 1e-300))), top * 1e-12);
  return [bottom, top > bottom ? top : 10 * bottom];
}

/** All diagrams of a run. */
export class Plots {
  readonly root = element("div", { class: "plots" });
  private readonly diagrams: Diagram[];
  private hovered: number | null = null;

  constructor(meta: Meta, history: History, seek: (time: number) => void) {
    const hover = (time: number | null) => {
      this.hovered = time;
      if (time !== null) for (const diagram of this.diagrams) if (diagram.visible) diagram.tell(time);
    };
    this.diagrams = meta.plots.map((plot) => new Diagram(plot, history, meta.transient_end, seek, hover));
    // Only what is in sight is drawn.
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const diagram = this.diagrams.find((d) => d.root === entry.target);
          if (!diagram) continue;
          const appears = entry.isIntersecting && !diagram.visible;
          diagram.visible = entry.isIntersecting;
          if (appears) diagram.refresh();
        }
      },
      { rootMargin: "200px" },
    );
    for (const diagram of this.diagrams) {
      this.root.append(diagram.root);
      watcher.observe(diagram.root);
    }
    onTheme(() => this.diagrams.forEach((diagram) => diagram.restyle()));
  }

  refresh(): void {
    for (const diagram of this.diagrams) if (diagram.visible) diagram.refresh();
  }

  /** Draws every plot, in sight or not, in a width in px or in that of the page. */
  drawAll(width: number | null): void {
    for (const diagram of this.diagrams) diagram.drawAs(width);
  }

  mark(time: number): void {
    for (const diagram of this.diagrams) {
      if (!diagram.visible) continue;
      diagram.mark(time);
      if (this.hovered !== null) diagram.tell(this.hovered);
    }
  }
}
