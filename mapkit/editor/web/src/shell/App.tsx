import { ContextMenu } from "../ui/ContextMenu";
import { Dialogs } from "../ui/Dialog";
import { Toasts } from "../ui/Toast";
import { steps } from "../edit";
import { choosing } from "../store";
import { Banners } from "./Banners";
import { Begin } from "./Begin";
import { Canvas } from "./Canvas";
import { Sheet } from "./Sheet";
import { SidePane } from "./SidePane";
import { workSpaces } from "../panels";
import { openPanel, showPanel } from "./pane";
import { SpaceBar } from "./SpaceBar";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";
import { ToolRail } from "./Tools";
import { SightFilters, SightNotice } from "../vision/Vision";
import { Tour } from "./Tour";
import { TourOffer } from "./TourOffer";

export function App() {
  if (choosing.value) return <Begin />;
  return (
    <>
      <Toolbar />
      <SpaceBar spaces={workSpaces} open={openPanel.value} onOpen={(id) => showPanel(id)} />
      <Banners steps={steps}>
        <TourOffer />
      </Banners>
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
      <ContextMenu />
      <SightFilters />
      <Tour />
    </>
  );
}
