import type { ColorScheme, FeedbackOptions, FeedbackTheme } from '../options.ts'

/** In the light and in the dark. */
const TOKENS: Readonly<Record<keyof FeedbackTheme, readonly [light: string, dark: string]>> = {
  foreground: ['#1c1b19', '#ecebe6'],
  background: ['#fff', '#1a1a18'],
  accentForeground: ['#fff', '#0c1a19'],
  accentBackground: ['#0b6e69', '#4fc3b8'],
  successColor: ['#2c7a3f', '#7cc48c'],
  errorColor: ['#cf3327', '#f4776b'],
  boxShadow: ['0 0 1px light-dark(#0005,#fff6),0 8px 32px light-dark(#0003,#0009)', ''],
  outline: ['2px solid var(--accent-background)', ''],
}

/**
 * Custom properties bear Sentry's names, so that what a page sets on the host goes on working. What the page says of itself
 * (`<html data-theme="dark">`) stands above what the system says.
 */
export const themeOf = ({ themeLight, themeDark }: FeedbackOptions, wanted: ColorScheme): string => {
  const said = document.documentElement.dataset['theme'] ?? ''
  const scheme = wanted === 'system' ? (/^(dark|light)$/.test(said) ? said : 'light dark') : wanted
  let css = `:host{color-scheme:${scheme}!important;`
  for (const [name, [light, dark]] of Object.entries(TOKENS) as [keyof FeedbackTheme, readonly [string, string]][]) {
    const inLight = themeLight?.[name] ?? light
    const inDark = themeDark?.[name] ?? dark
    // Shadows and outlines are more than a colour, which is all that light-dark() takes.
    const value = dark ? `light-dark(${inLight},${inDark})` : (scheme === 'dark' && inDark) || inLight
    css += `--${name.replace(/[A-Z]/, '-$&').toLowerCase()}:${value};`
  }
  return `${css}}`
}

/** Corner of trigger and dialog, with room for notches. */
export const placeOf = ({ position = 'bottom-end', offset, zIndex }: FeedbackOptions): string => {
  const [block, inline] = position.split('-')
  return `:host{--z-index:${zIndex ?? 100000};--fh-block:${offset?.block ?? 20}px}.corner{inset:auto!important;inset-block-${block === 'top' ? 'start' : 'end'}:calc(var(--fh-block) + env(safe-area-inset-${block},0px))!important;inset-inline-${inline}:calc(${offset?.inline ?? 20}px + env(safe-area-inset-right,0px))!important}`
}

export const STYLES = `:host{all:initial!important;display:contents!important;direction:inherit!important}:host([dir=rtl]){direction:rtl!important}
*,::before,::after{box-sizing:border-box}[hidden]{display:none!important}
.trigger{position:fixed;z-index:var(--z-index);margin:0;border:0;display:inline-flex;align-items:center;gap:8px;min-width:44px;min-height:44px;padding:10px 18px 10px 16px;border-radius:22px;font:500 14px/20px Inter,system-ui,sans-serif;color:var(--foreground);background:var(--background);box-shadow:var(--box-shadow);cursor:pointer;overflow:visible}
.trigger:hover{color:var(--accent-background)}.trigger:focus-visible{outline:var(--outline);outline-offset:2px}
dialog.plain{padding:16px}.trigger svg{width:18px;height:18px;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}
@media(max-width:600px){.trigger{padding:10px;justify-content:center}.trigger svg+span{display:none}}
@media(forced-colors:active){.trigger{border:1px solid ButtonBorder}}
@media print{:host{display:none!important}}`
