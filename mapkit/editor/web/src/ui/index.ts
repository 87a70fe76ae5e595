export { ActionButton, Button, type ButtonProps } from "./Button";
export { Check, Field, Select, Slider } from "./Field";
export { ask, askChoice, askText, Dialog, FormDialog, openDialog } from "./Dialog";
export { Empty } from "./Empty";
export { itemsOf, Menu, type MenuItem } from "./Menu";
export { Table, type Column } from "./Table";
export { Tabs } from "./Tabs";
export { toast } from "./Toast";
export { EditTable, type Choice, type EditColumn } from "./EditTable";
