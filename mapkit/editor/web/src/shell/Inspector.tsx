// What is selected, beside every work space; the settings of the tool stand above it.
import { mileposts, railroads, segments } from "../store";
import { selection } from "../selection";
import { currentTool } from "../tools";
import { InspectorFrame } from "./InspectorFrame";
import { Selected } from "./Selected";
import { cardInInspector, ToolSettings } from "./ToolCard";

function heading(): string {
  const items = selection.value;
  const [only] = items;
  if (!only) return currentTool.value.short ?? currentTool.value.label;
  if (items.length > 1) return `${items.length} selected`;
  if (only.kind === "milepost") return mileposts.value[only.id]?.name ?? "Milepost";
  if (only.kind !== "segment") return only.kind === "junction" ? "Junction" : "Line";
  return railroads.value[segments.value[only.id]?.railroad ?? ""]?.name ?? "Track";
}

export function Inspector() {
  return (
    <InspectorFrame heading={heading()} empty={selection.value.length === 0 && !cardInInspector.value}>
      <ToolSettings />
      <Selected />
    </InspectorFrame>
  );
}
