import type { Stage } from "../scene/stage";
import { element } from "./dom";
import type { Plots } from "./plots";
import { lightFor } from "./theme";

/** Width of what is printed, px: A4 with the margins of the style sheet, and that of a plot in its frame. */
const PAPER = 688;
const PLOT = 640;

/** Makes the page fit for paper while it is printed: light, all plots drawn, the scene as a picture. */
export function preparePrint(stage: Stage | null, plots: Plots): void {
  const picture = element("img", { class: "printed-scene", alt: "The scene at the time of the slider" });
  let restore = () => {};
  addEventListener("beforeprint", () => {
    restore = lightFor();
    if (stage) {
      picture.src = stage.picture(PAPER);
      stage.canvas.after(picture);
    }
    plots.drawAll(PLOT);
  });
  addEventListener("afterprint", () => {
    picture.remove();
    restore();
    plots.drawAll(null);
  });
}
