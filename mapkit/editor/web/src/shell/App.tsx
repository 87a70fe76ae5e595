import { Dialogs } from "../ui/Dialog";
import { Toasts } from "../ui/Toast";
import { choosing } from "../store";
import { Banners } from "./Banners";
import { Begin } from "./Begin";
import { Canvas } from "./Canvas";
import { Sheet } from "./Sheet";
import { SidePane } from "./SidePane";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";
import { ToolRail } from "./Tools";
import { SightFilters, SightNotice } from "../vision/Vision";
import { Tour } from "./Tour";

export function App() {
  if (choosing.value) return <Begin />;
  return (
    <>
      <Toolbar />
      <Banners />
      <div class="middle">
        <ToolRail />
        <div class="stage">
          <Canvas />
          <SightNotice />
          <Sheet />
        </div>
        <SidePane />
      </div>
      <StatusLine />
      <Toasts />
      <Dialogs />
      <SightFilters />
      <Tour />
    </>
  );
}
