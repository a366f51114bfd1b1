/** Cursors of a list's neighbours; null where there is nothing more. */
export interface PageLinks {
  readonly next: string | null
  readonly previous: string | null
}

/** One part of a `Link` header as this API writes it. */
const LINK_PART = /<([^<>]*)>((?:\s*;\s*[a-z]+="[^"]*")*)/g
const ATTRIBUTE = /([a-z]+)="([^"]*)"/g

/**
 * Reads `<url>; rel="next"; results="true"; cursor="0:100:0", …`. A part with `results="false"` points nowhere.
 */
export const parseLinkHeader = (header: string | null): PageLinks => {
  const cursors = new Map<string, string>()
  for (const part of (header ?? '').matchAll(LINK_PART)) {
    const attributes = new Map<string, string>()
    for (const [, name = '', value = ''] of (part[2] ?? '').matchAll(ATTRIBUTE)) attributes.set(name, value)
    const rel = attributes.get('rel')
    const cursor = attributes.get('cursor')
    if (rel !== undefined && cursor !== undefined && attributes.get('results') === 'true') cursors.set(rel, cursor)
  }
  return { next: cursors.get('next') ?? null, previous: cursors.get('previous') ?? null }
}

/**
 * Writes the header that `parseLinkHeader` reads. Both relations are always present, as Sentry's clients expect.
 *
 * @param url of the request, absolute; its `cursor` is replaced
 */
export const formatLinkHeader = (url: URL, links: PageLinks): string => {
  const part = (rel: string, cursor: string | null): string => {
    const target = new URL(url)
    target.searchParams.set('cursor', cursor ?? '')
    return `<${target.href}>; rel="${rel}"; results="${cursor === null ? 'false' : 'true'}"; cursor="${cursor ?? ''}"`
  }
  return `${part('previous', links.previous)}, ${part('next', links.next)}`
}
