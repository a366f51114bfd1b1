import type { InboxItem } from '@firsthand/contract'

/**
 * What happened, without what all things of a line have in common: "Resolved, SHOP-6: TypeError: …" and what came before
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

/** What a line says beside its title; '' where the title has it already, as one of somebody's words does. */
function saidBeside(title: string, detail: string): string {
  return plainWords(title).includes(plainWords(detail)) ? '' : detail
}

/** What somebody said beside a title, with who said it; '' for nothing. */
export function wordsBeside({ actor, detail, title }: Pick<InboxItem, 'actor' | 'detail' | 'title'>): string {
  const said = saidBeside(title, detail)
  return said === '' || actor === null ? said : `${nameOf(actor)}: ${said}`
}

export const nameOf = ({ email, name }: NonNullable<InboxItem['actor']>): string => (name === '' ? email : name)

/** Quotation marks and cuts aside. */
const plainWords = (text: string): string =>
  text
    .replaceAll(/["“”„«»…]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
