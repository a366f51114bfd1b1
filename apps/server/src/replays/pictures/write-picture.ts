import {
  RECORDED_PAGE_POLICY,
  REPLAY_PICTURE_HEIGHT,
  REPLAY_PICTURE_LEAST_WIDTH,
  REPLAY_PICTURE_WIDTH,
} from '@firsthand/contract'
import type { Still } from '@firsthand/recording/still'

/** Of a page whose size nobody noted. */
const USUAL = { width: 1280, height: 800 }

/**
 * Nothing runs in it, nothing is fetched for it, not even from this server, and no page of ours is of its origin. The
 * frame in it has its policy, too.
 */
export const PICTURE_POLICY = `${RECORDED_PAGE_POLICY}; frame-ancestors 'self'; sandbox`

/** What lies behind its frame is seen through it. */
export const EMPTY_PICTURE = new TextEncoder().encode(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>No recorded page</title></head><body></body></html>',
)

/** A page of the size that lists show, in which a recorded page is drawn as large as its window was, and made smaller. */
export const writePicture = ({ html, ...size }: Still): string => {
  const { width, height } = size.width > 0 && size.height > 0 ? size : USUAL
  const fitting = Math.min(REPLAY_PICTURE_WIDTH / width, REPLAY_PICTURE_HEIGHT / height)
  const scale = Math.max(fitting, REPLAY_PICTURE_LEAST_WIDTH / width)
  const left = (REPLAY_PICTURE_WIDTH - width * scale) / 2
  const page = html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const style = `width:${width}px;height:${height}px;left:${left.toFixed(2)}px;transform:scale(${scale.toFixed(5)})`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recorded page</title><style>
html,body{margin:0;height:100%;overflow:hidden;background:transparent}
iframe{position:absolute;top:0;border:0;background:#fff;color-scheme:light;transform-origin:0 0}</style></head>
<body><iframe sandbox title="Recorded page" tabindex="-1" style="${style}" srcdoc="${page}"></iframe></body></html>`
}
