import type { ColorScheme, FeedbackOptions } from '../options.ts'

/** What the page says of itself (`<html data-theme="dark">`) stands above what the system says. */
export const schemeOf = (wanted: ColorScheme): string => {
  const said = document.documentElement.dataset['theme'] ?? ''
  return wanted === 'system' ? (/^(dark|light)$/.test(said) ? said : 'light dark') : wanted
}

/** Corner of trigger and dialog, with room for notches. */
export const placeOf = ({ position = 'bottom-end', offset, zIndex }: FeedbackOptions): string => {
  const [block, inline] = position.split('-')
  return `:host{--z-index:${zIndex ?? 100000};--fh-block:${offset?.block ?? 20}px}.corner{inset:auto!important;inset-block-${block === 'top' ? 'start' : 'end'}:calc(var(--fh-block) + env(safe-area-inset-${block},0px))!important;inset-inline-${inline}:calc(${offset?.inline ?? 20}px + env(safe-area-inset-right,0px))!important}`
}

/** Custom properties bear Sentry's names, so that what a page sets on the host goes on working. */
export const STYLES = `:host{all:initial!important;display:contents!important;--foreground:light-dark(#1c1b19,#ecebe6);--background:light-dark(#fff,#1a1a18);--accent-background:light-dark(#0b6e69,#4fc3b8);--box-shadow:0 0 1px light-dark(#0005,#fff6),0 8px 32px light-dark(#0003,#0009);--outline:2px solid var(--accent-background)}
*,::before,::after{box-sizing:border-box}[hidden]{display:none!important}
.trigger{position:fixed;z-index:var(--z-index);margin:0;border:1px solid #0000;display:inline-flex;align-items:center;gap:8px;min-width:44px;min-height:44px;padding:9px 17px 9px 15px;border-radius:22px;font:500 14px/20px Inter,system-ui,sans-serif;color:var(--foreground);background:var(--background);box-shadow:var(--box-shadow);cursor:pointer;overflow:visible}
.trigger:hover{color:var(--accent-background)}.trigger:focus-visible{outline:var(--outline);outline-offset:2px}
.trigger::before{content:"";width:18px;height:18px;background:currentColor;clip-path:path(evenodd,"M1.7 2.7h14.6v10.6H8.3L3.7 17v-3.7h-2zM3.3 4.3v7.4h2v1.9l2.4-1.9h7V4.3z");forced-color-adjust:none}
@media(max-width:600px){.trigger{padding:9px;justify-content:center}.trigger span{display:none}}
@media print{:host{display:none!important}}`
