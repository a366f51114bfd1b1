/** Of dialog and banner. Custom properties that begin with --fh are what the picture editor builds on. */
export const STYLES = `
.dialog,.banner{--fh-ink:var(--foreground);--fh-panel:var(--background);--fh-accent:var(--accent-background);--fh-on-accent:var(--accent-foreground,light-dark(#fff,#0c1a19));--fh-error:var(--error-color,light-dark(#cf3327,#f4776b));--fh-second:color-mix(in srgb,var(--foreground) 72%,var(--background));--fh-line:color-mix(in srgb,var(--foreground) 12%,var(--background));--fh-strong-line:color-mix(in srgb,var(--foreground) 50%,var(--background));--fh-sunk:color-mix(in srgb,var(--foreground) 4%,var(--background));--fh-accent-soft:color-mix(in srgb,var(--accent-background) 13%,var(--background));font:14px/20px Inter Variable,Inter,system-ui,sans-serif;color:var(--fh-ink);background:var(--fh-panel);border:0;box-shadow:var(--box-shadow)}
.dialog{position:fixed;margin:0;padding:0;width:420px;max-width:calc(100vw - 24px);max-height:calc(100dvh - 2*var(--fh-block));border-radius:14px;overflow:auto;overscroll-behavior:contain;z-index:var(--z-index)}
.dialog::backdrop{background:none}
.dialog.center{inset:0!important;margin:auto}.dialog.center::backdrop{background:rgb(28 27 25/.45)}
form{display:flex;flex-direction:column;gap:12px;padding:16px}
header{display:flex;align-items:center;gap:8px}
h2{flex:1;margin:0;font:600 16px/24px Inter Variable,Inter,system-ui,sans-serif;overflow-wrap:anywhere}
button,input,textarea,select{font:inherit;color:inherit;margin:0}
button{cursor:pointer;-webkit-tap-highlight-color:transparent}
.icon{flex:none;display:grid;place-items:center;width:32px;height:32px;margin:-4px -8px -4px 0;padding:0;border:0;border-radius:6px;background:none;color:var(--fh-second)}
.icon:hover{background:var(--fh-sunk);color:var(--fh-ink)}
.icon svg,.banner>svg{width:16px;height:16px;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
:focus-visible{outline:var(--outline);outline-offset:2px}
.pair{display:flex;flex-wrap:wrap;gap:12px}.pair>*{flex:1 1 150px}
.field{display:flex;flex-direction:column;gap:4px;min-width:0;margin:0;padding:0;border:0}
.label{font-weight:500}legend{padding:0 0 4px}.required,.counter,.note{color:var(--fh-second);font-size:12px;line-height:16px;font-weight:400}
input:not([type=checkbox],[type=radio]),textarea,select{width:100%;min-height:40px;padding:9px 11px;border:1px solid var(--fh-strong-line);border-radius:6px;background:var(--fh-sunk);appearance:none}
input,textarea{unicode-bidi:plaintext}select{appearance:auto}
textarea{min-height:88px;resize:vertical;field-sizing:content;max-height:40dvh}
::placeholder{color:var(--fh-second);opacity:1}:placeholder-shown{text-overflow:ellipsis}
[name=email]{direction:ltr;text-align:match-parent}
input:focus-visible,textarea:focus-visible,select:focus-visible{outline-offset:-1px}
[aria-invalid=true]{border-color:var(--fh-error)!important;box-shadow:0 0 0 1px var(--fh-error)}[aria-invalid=true]:focus-visible{outline-color:var(--fh-error)}
.check{display:flex;gap:8px;align-items:center;min-height:28px}.check input{width:18px;height:18px;flex:none;accent-color:var(--fh-accent)}
.stars{display:flex}.stars label{position:relative;display:grid;place-items:center;width:36px;height:36px;border-radius:6px;font-size:24px;color:var(--fh-strong-line);cursor:pointer}.stars .on{color:var(--fh-accent)}.stars input{position:absolute;inset:0;opacity:0;cursor:pointer}.stars label:focus-within{outline:var(--outline)}
.alert:empty,.hint:empty,.earlier:empty{display:none}.earlier{margin:0;font-size:12px;line-height:24px}.earlier a{display:inline-block;color:var(--fh-accent)}
.alert{padding:8px 12px;border-radius:6px;font-size:13px;color:var(--fh-ink);background:color-mix(in srgb,var(--fh-error) 10%,var(--fh-panel));border-inline-start:3px solid var(--fh-error);overflow-wrap:anywhere}
.alert .text{color:color-mix(in srgb,var(--fh-error) 82%,var(--fh-ink))}
.help{display:flex;flex-wrap:wrap;gap:4px 12px}.help:empty{display:none}
.link{padding:0;min-height:28px;border:0;background:none;color:var(--fh-accent);font-weight:500;text-decoration:underline;text-underline-offset:2px}
.hint{margin:0;font-size:13px;color:var(--fh-second)}
footer{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:8px}
.included{flex:1 0 100%;color:var(--fh-second);font-size:12px;line-height:16px}.included summary{min-height:24px;padding:4px 0;cursor:pointer}
.button{min-height:44px;padding:8px 16px;border-radius:6px;border:1px solid var(--fh-strong-line);background:var(--fh-panel);font-weight:500}
.button:hover{background:var(--fh-sunk)}
.primary{border-color:transparent;background:var(--fh-accent);color:var(--fh-on-accent)}.primary:hover{background:color-mix(in srgb,var(--fh-accent) 90%,var(--fh-ink))}
.button[aria-disabled=true]{opacity:.6;cursor:progress}
.quiet,.trap{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.banner{position:fixed;z-index:var(--z-index);margin:0;display:flex;gap:12px;align-items:flex-start;padding:12px 16px;border-radius:14px;max-width:min(380px,calc(100vw - 24px));font-weight:500;overflow:visible;transform:translateY(-56px)}
.banner.top{transform:translateY(56px)}
.banner>svg{color:var(--success-color,light-dark(#2c7a3f,#7cc48c));margin-top:2px;flex:none}.banner .icon{margin:-6px -8px -6px 0}
.said{display:flex;flex-direction:column}.said a{color:var(--fh-accent);min-height:24px}
@media(max-width:480px){.dialog.corner{inset:auto 0 0!important;width:100%;max-width:100%;max-height:calc(100dvh - 16px);border-radius:14px 14px 0 0;padding-bottom:env(safe-area-inset-bottom,0)}.dialog::backdrop{background:rgb(28 27 25/.45)}input:not([type=checkbox],[type=radio]),textarea,select{font-size:16px;min-height:44px}textarea{min-height:100px}.icon{width:44px;height:44px;margin:-10px -14px -10px 0}footer .button{flex:1 1 auto}}
:host([dir=rtl]) .icon{margin-left:-8px;margin-right:0}
@media(prefers-reduced-motion:no-preference){.dialog[open]{animation:fh-in .14s ease-out}@keyframes fh-in{from{opacity:0;translate:0 8px}}}
@media(min-height:400px){.dialog{scroll-padding-block:80px 116px}header+.alert{position:sticky;top:8px;z-index:2}footer{position:sticky;bottom:0;z-index:2;margin:0 -16px -16px;padding:8px 16px 16px;background:var(--fh-panel)}}
@media(forced-colors:active){.dialog,.banner{border:1px solid CanvasText}.primary{border-color:ButtonText}.alert{border:1px solid CanvasText}[aria-invalid=true]{outline:2px solid Mark}.stars .on{color:Highlight;forced-color-adjust:none}}
`
