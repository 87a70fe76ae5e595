import { Dialogs } from "../ui/Dialog";
import { Toasts } from "../ui/Toast";
import { Canvas } from "./Canvas";
import { SidePane } from "./SidePane";
import { StatusLine } from "./StatusLine";
import { Toolbar } from "./Toolbar";

export function App() {
  return (
    <>
      <Toolbar />
      <div class="middle">
        <Canvas />
        <SidePane />
      </div>
      <StatusLine />
      <Toasts />
      <Dialogs />
    </>
  );
}
