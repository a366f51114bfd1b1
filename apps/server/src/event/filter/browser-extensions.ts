import type { NormalisedEvent } from '../event.ts'

/** Messages of errors that browser extensions, toolbars and in-app browsers cause in other people's pages. */
const MESSAGES = [
  // Toolbars and in-page helpers of the 2010s, still seen.
  'top.GLOBALS',
  'originalCreateNotification',
  'canvas.contentDocument',
  'MyApp_RemoveAllHighlights',
  'http://tt.epicplay.com',
  "Can't find variable: ZiteReader",
  'jigsaw is not defined',
  'ComboSearch is not defined',
  'http://loading.retry.widdit.com/',
  'atomicFindClose',
  'fb_xd_fragment',
  'bmi_SafeAddOnload',
  'EBCallBackMessageReceived',
  'conduitPage',
  '_avast_submit',
  'SymBrowser_ScrollWorkspaceToTop',
  // In-app browsers and translation.
  '__gCrWeb',
  '__gCrWeb.autofill.extractForms',
  'translateSelectedText',
  'instantSearchSDKJSBridgeClearHighlight',
  'vid_mate_check is not defined',
  '_AutofillCallbackHandler',
  "Can't find variable: _AutofillCallbackHandler",
  'zaloJSV2',
  "Can't find variable: gmo",
  'window.webkit.messageHandlers',
  'webkit-masked-url',
  // Wallets, password managers, ad-blockers and the like.
  'MetaMask',
  'Cannot redefine property: ethereum',
  'Cannot set property ethereum of #<Window> which has only a getter',
  'Cannot redefine property: solana',
  "evaluating 'window.ethereum",
  'Cannot redefine property: googletag',
  'Extension context invalidated',
  'Could not establish connection. Receiving end does not exist',
  'Non-Error promise rejection captured with value: Object Not Found Matching Id:',
  'A listener indicated an asynchronous response by returning true',
  'The message port closed before a response was received',
  'chrome.runtime',
  'browser.runtime',
  'ceCurrentVideo.currentTime',
  'Blocked a frame with origin "chrome-extension:',
  "Can't find variable: PaymentAutofillConfig",
  'DealPly',
] as const

const MESSAGE = new RegExp(
  MESSAGES.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|'),
  'i',
)

/** Where their code comes from. */
const SOURCE = new RegExp(
  [
    String.raw`^(?:chrome|moz|ms-browser|safari|safari-web|opera)-extension:`,
    String.raw`^(?:webkit-masked-url|chrome|resource|user-script):`,
    String.raw`^about:.{0,10}extension`,
    String.raw`127\.0\.0\.1:4001/isrunning`,
    String.raw`graph\.facebook\.com`,
    String.raw`connect\.facebook\.net/\w{2,5}_\w{2,5}/all\.js`,
    String.raw`eatdifferent\.com\.woopra-ns\.com`,
    String.raw`static\.woopra\.com/js/woopra\.js`,
    String.raw`webappstoolbarba\.texthelp\.com`,
    String.raw`metrics\.itunes\.apple\.com\.edgesuite\.net`,
    String.raw`kaspersky-labs\.com`,
    String.raw`superfish\.com`,
    String.raw`cacaoweb\.org`,
    String.raw`^file:///extensions/`,
  ].join('|'),
  'i',
)

export const isBrowserExtension = (event: NormalisedEvent): boolean => {
  if (event.platform !== 'javascript') return false
  const exception = event.exception?.values.at(-1)
  if (exception === undefined) return event.logentry?.formatted !== undefined && MESSAGE.test(event.logentry.formatted)
  if (exception.value !== undefined && MESSAGE.test(exception.value)) return true
  const source = sourceOf(exception.stacktrace?.frames ?? [])
  return source !== undefined && SOURCE.test(source)
}

/** The file of the frame that threw; anonymous and built-in code has none. */
const sourceOf = (frames: readonly { abs_path?: string; filename?: string }[]): string | undefined => {
  for (let index = frames.length - 1; index >= 0; index--) {
    const path = frames[index]?.abs_path ?? frames[index]?.filename
    if (path !== undefined && path !== '<anonymous>' && path !== '[native code]') return path
  }
  return undefined
}
