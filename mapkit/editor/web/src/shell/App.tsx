import { Dialogs } from "../ui/Dialog";
import { Toasts } from "../ui/Toast";
import { Canvas } from "./Canvas";
import { Sheet } from "./Sheet";
import { SidePane } from "./SidePane";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";
import { SightFilters, SightNotice } from "../vision/Vision";

export function App() {
  return (
    <>
      <Toolbar />
      <div class="middle">
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
    </>
  );
}
