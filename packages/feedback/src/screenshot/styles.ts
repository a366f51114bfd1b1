/**
 * Styles of the picture control and its editor, for a constructable style sheet.
 * Colours are the dialog's custom properties; the values behind the comma stand alone in a bare shadow root.
 */
export const STYLES = `
.fh-pictures {
  --_ink: var(--foreground, light-dark(#1c1b19, #ecebe6));
  --_panel: var(--background, light-dark(#fff, #1a1a18));
  --_accent: var(--accent-background, light-dark(#0b6e69, #4fc3b8));
  --_second: color-mix(in srgb, var(--_ink) 70%, var(--_panel));
  --_sunk: color-mix(in srgb, var(--_ink) 6%, var(--_panel));
  --_line: color-mix(in srgb, var(--_ink) 20%, var(--_panel));
  --_soft: color-mix(in srgb, var(--_accent) 12%, var(--_panel));
  border: 0; margin: 0; padding: 0; min-inline-size: 0;
  display: block; color: var(--_ink); font: inherit; font-size: 13px; line-height: 20px;
}
.fh-pictures *, .fh-pictures *::before { box-sizing: border-box; }
.fh-pictures [hidden] { display: none !important; }
.fh-pictures button {
  font: inherit; color: inherit; background: none; border: 0; margin: 0; padding: 0; cursor: pointer;
  -webkit-tap-highlight-color: transparent;
}
.fh-pictures button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.fh-pictures button[aria-disabled=true], .fh-pictures:disabled button { opacity: .45; cursor: default; }
.fh-pictures svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; display: block; flex: none; }
.fh-pictures .quiet { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.fh-pictures .add { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.fh-pictures .add button, .fh-pictures .another {
  display: inline-flex; gap: 6px; align-items: center; min-height: 36px; padding: 4px 12px;
  border: 1px solid var(--_line); border-radius: 6px; font-weight: 500; background: var(--_panel);
}
.fh-pictures .add button:hover, .fh-pictures .another:hover { background: var(--_sunk); }
.fh-pictures .menu {
  flex: 1 0 100%; display: grid; justify-items: start; gap: 4px; padding: 4px;
  border: 1px solid var(--_line); border-radius: 8px; background: var(--_panel);
}
.fh-pictures .add .menu button { width: 100%; border-color: transparent; text-align: start; }
.fh-pictures .add [aria-expanded=true] svg { rotate: 180deg; }
.fh-pictures .hint { margin: 6px 0 0; color: var(--_second); font-size: 12px; line-height: 16px; }
.fh-pictures .note { margin: 8px 0 0; padding: 6px 10px; border-radius: 6px; background: var(--_sunk); color: var(--_ink); }
.fh-pictures.over .add, .fh-pictures.over .room { outline: 2px dashed var(--_accent); outline-offset: 3px; border-radius: 6px; }

.fh-pictures .strip { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 10px 0 0; padding: 0; list-style: none; }
.fh-pictures .strip li { position: relative; }
.fh-pictures .thumb { display: block; width: 64px; height: 44px; border-radius: 6px; overflow: hidden; background: var(--_sunk) !important; box-shadow: inset 0 0 0 1px var(--_line); }
.fh-pictures .thumb canvas { display: block; width: 100%; height: 100%; object-fit: cover; }
.fh-pictures .thumb[aria-current=true] { outline: 2px solid var(--_accent); outline-offset: 1px; }
.fh-pictures .thumb:focus-visible { outline-offset: 3px; }
.fh-pictures .strip .drop {
  position: absolute; inset-block-start: -8px; inset-inline-end: -8px; width: 24px; height: 24px; border-radius: 12px;
  display: grid; place-items: center; background: var(--_panel); border: 1px solid var(--_line); color: var(--_second);
}
.fh-pictures .strip .drop svg { width: 12px; height: 12px; }
.fh-pictures .strip .another { min-height: 44px; }
.fh-pictures .strip + .add { margin-block-start: 8px; }

.fh-pictures .editor { display: flex; flex-direction: column; min-width: 0; }
.fh-pictures .room {
  display: grid; place-items: center; padding: 14px; border-radius: 8px; overflow: hidden; min-height: 62px;
  background: light-dark(#77746c, #0d0d0c); forced-color-adjust: none;
}
.fh-pictures .stage { position: relative; direction: ltr; user-select: none; -webkit-user-select: none; }
.fh-pictures .stage:not([data-tool='']) { touch-action: none; cursor: crosshair; }
.fh-pictures .clip { position: absolute; inset: 0; overflow: hidden; background: #fff; }
.fh-pictures .clip canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.fh-pictures .shade { position: absolute; box-shadow: 0 0 0 9999px rgb(28 27 25 / .55); }
.fh-pictures .frame { position: absolute; outline: 2px solid #fff; box-shadow: 0 0 0 3px rgb(28 27 25 / .35); }
.fh-pictures .mover { position: absolute; inset: 0; width: 100%; height: 100%; cursor: move !important; touch-action: none; }
.fh-pictures .size {
  position: absolute; left: 50%; bottom: 6px; transform: translateX(-50%); padding: 1px 6px; border-radius: 4px;
  background: rgb(28 27 25 / .72); color: #fff; font-size: 12px; line-height: 18px; font-variant-numeric: tabular-nums;
  white-space: nowrap; pointer-events: none;
}
.fh-pictures .handle { position: absolute; width: 24px; height: 24px; touch-action: none; }
.fh-pictures .handle::before {
  content: ''; position: absolute; inset: 6px; border-radius: 3px; background: #fff; box-shadow: 0 0 0 1px rgb(28 27 25 / .35), 0 1px 3px rgb(28 27 25 / .4);
}
.fh-pictures .handle[data-corner=topLeft] { left: -12px; top: -12px; cursor: nwse-resize; }
.fh-pictures .handle[data-corner=topRight] { right: -12px; top: -12px; cursor: nesw-resize; }
.fh-pictures .handle[data-corner=bottomLeft] { left: -12px; bottom: -12px; cursor: nesw-resize; }
.fh-pictures .handle[data-corner=bottomRight] { right: -12px; bottom: -12px; cursor: nwse-resize; }
.fh-pictures .frame button:focus-visible, .fh-pictures .mark button:focus-visible { outline: 2px solid #0b6e69; outline-offset: -1px; box-shadow: 0 0 0 3px #fff; }
.fh-pictures .handle:focus-visible { border-radius: 4px; }
.fh-pictures .mark { position: absolute; }
.fh-pictures .grip { position: absolute; inset: -2px; width: calc(100% + 4px); height: calc(100% + 4px); min-width: 24px; min-height: 24px; cursor: move !important; touch-action: none; }
.fh-pictures .mark .handle, .fh-pictures .mark .erase { display: none; }
.fh-pictures .mark.selected { outline: 1.5px dashed #fff; box-shadow: 0 0 0 1.5px rgb(28 27 25 / .55); z-index: 1; }
.fh-pictures .mark.selected .handle { display: block; }
.fh-pictures .mark.selected .erase {
  display: grid; place-items: center; position: absolute; right: -14px; top: -14px; width: 28px; height: 28px; border-radius: 14px;
  background: #fff; color: #1c1b19; box-shadow: 0 1px 4px rgb(28 27 25 / .5); z-index: 1;
}
.fh-pictures .mark.selected .handle[data-corner=topRight] { display: none; }

.fh-pictures .tools { display: flex; flex-wrap: wrap; align-items: center; margin-block-start: 8px; }
.fh-pictures .tool { display: inline-grid; place-items: center; min-height: 32px; min-width: 32px; padding: 4px 6px; border-radius: 6px; color: var(--_second); font-weight: 500; }
.fh-pictures .icons { display: inline-flex; margin-inline-start: auto; }
.fh-pictures .tool.icon { padding: 4px; min-width: 28px; }
.fh-pictures .tool:hover { background: var(--_sunk); color: var(--_ink); }
.fh-pictures .tool[aria-pressed=true], .fh-pictures .tool[data-action=apply] { background: var(--_soft); color: var(--_accent); }

.fh-pictures .large { border: 0; margin: auto; padding: 12px; width: calc(100vw - 24px); height: calc(100dvh - 24px); max-width: none; max-height: none; border-radius: 14px; color: var(--_ink); background: var(--_panel); box-shadow: 0 24px 80px rgb(0 0 0 / .35); }
.fh-pictures .large::backdrop { background: rgb(28 27 25 / .5); }
.fh-pictures .large .editor { height: 100%; }
.fh-pictures .large .room { flex: 1 1 0; min-height: 0; }
.fh-pictures .large [data-action=enlarge] { order: 1; width: auto; margin: 0; margin-inline-start: 8px; padding: 4px 14px; border-radius: 6px; white-space: nowrap; background: var(--_accent); color: var(--accent-foreground, light-dark(#fff, #0c1a19)); }
.fh-pictures .large [data-action=enlarge]:hover { background: color-mix(in srgb, var(--_accent) 90%, var(--_ink)); }
.fh-pictures .large .icons { flex-wrap: wrap; justify-content: flex-end; }
@media (max-width: 480px) { .fh-pictures .large { width: 100vw; height: 100dvh; border-radius: 0; } }
@media (pointer: coarse) {
  .fh-pictures .tool, .fh-pictures .tool.icon { min-height: 44px; min-width: 44px; }
  .fh-pictures .hint { display: none; }
  .fh-pictures .add button, .fh-pictures .another { min-height: 44px; }
  .fh-pictures .frame .handle { width: 32px; height: 32px; margin: -4px; }
}
@media (forced-colors: active) {
  .fh-pictures .tool[aria-pressed=true], .fh-pictures .thumb[aria-current=true] { outline: 2px solid Highlight; }
  .fh-pictures .thumb, .fh-pictures .tool, .fh-pictures .large, .fh-pictures .note { border: 1px solid ButtonBorder; }
}
`
