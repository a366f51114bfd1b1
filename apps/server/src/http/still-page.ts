import { RECORDED_PAGE_POLICY } from '@firsthand/contract'

/**
 * An empty page that the console frames to draw in it what strangers made: nothing in it runs, and nothing is fetched for
 * it, not even from this server. Frames made within it have its policy too. The console, whose scripts draw, keeps the
 * stricter policy of its own, without inline styles.
 */
export const STILL_PAGE_PATH = '/still'

export const STILL_PAGE_POLICY = `${RECORDED_PAGE_POLICY}; frame-ancestors 'self'; sandbox allow-same-origin`

const PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recorded page</title></head><body></body></html>'

export const stillPage = (): Response =>
  new Response(PAGE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': STILL_PAGE_POLICY,
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
  })
