import type { InboxItem } from '@firsthand/contract'

/**
 * What happened, without what all things of a line have in common: "Ben resolved SHOP-6: TypeError: …" and what came before
 * it are about one error, whose name stands above them.
 */
export function shortTitles(title: string, items: readonly InboxItem[]): readonly InboxItem[] {
  const begin = title.indexOf(': ')
  const common = begin === -1 ? '' : title.slice(begin)
  return items.map((item) =>
    common !== '' && item.title.length > common.length && item.title.endsWith(common)
      ? { ...item, title: item.title.slice(0, -common.length) }
      : item,
  )
}
