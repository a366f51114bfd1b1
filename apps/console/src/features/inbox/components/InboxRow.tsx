import type { InboxEntry, InboxItem } from '@firsthand/contract'
import { cx } from '../../../lib/cx.ts'
import { Avatar, Checkbox, LevelDot, Link, RelativeTime, VisibleText, VisuallyHidden } from '../../../ui/index.ts'
import type { InboxWork } from '../inbox-work.ts'
import { compactInbox } from '../model/inbox-search.ts'
import { KINDS } from '../model/kind-words.ts'
import { nameOf, shortTitles, wordsBeside } from '../model/short-titles.ts'
import { snoozeWords } from '../model/snooze-choices.ts'
import styles from './InboxRow.module.css'

/** One line: what happened, why one is told, and how much it is about. */
export function InboxRow({ row, work }: { readonly row: InboxEntry; readonly work: InboxWork }) {
  const { org, search, selected, select } = work
  const isOpen = row.id === search.entry
  const isSelected = selected.has(row.id)
  return (
    <li data-line={row.id} className={cx(styles.row, isOpen && styles.open, isSelected && styles.selected)}>
      <span className={cx(styles.check, isSelected && styles.checked)}>
        <Checkbox
          aria-label={`Select ${row.title}`}
          checked={isSelected}
          onCheckedChange={(_, event) => select(row.id, 'shiftKey' in event && event.shiftKey === true)}
        />
      </span>
      <Link
        look="plain"
        className={styles.link}
        to="/organizations/$org/inbox"
        params={{ org }}
        search={compactInbox({ ...search, entry: row.id })}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className={styles.mark}>
          {row.isRead ? null : (
            <span className={styles.unread}>
              <VisuallyHidden>Unread:</VisuallyHidden>
            </span>
          )}
        </span>
        <Sign row={row} />
        <span className={cx(styles.title, !row.isRead && styles.strong)}>
          <VisibleText text={row.title} />
        </span>
        <RelativeTime time={row.lastAt} form="age" className={styles.time} />
        <span className={styles.below}>
          {row.woken === '' ? null : <span className={styles.woken}>{row.woken} </span>}
          {row.snooze === null ? null : <span>{snoozeWords(row.snooze)} · </span>}
          <VisibleText text={besideTitle(row)} />
        </span>
        {row.told > 1 ? <span className={styles.told}>{row.told} in one</span> : null}
      </Link>
      {isOpen && row.told > 1 ? <Swallowed items={shortTitles(row.title, row.items)} told={row.told} /> : null}
    </li>
  )
}

/** What was said, and by whom; else why one is told, which says who did it. */
function besideTitle({ actor, items, reason, title }: InboxEntry): string {
  return wordsBeside({ actor, title, detail: items[0]?.detail ?? '' }) || reason
}

/** Who did it, or what kind of thing it is. */
function Sign({ row }: { readonly row: InboxEntry }) {
  const Drawn = KINDS[row.kind].icon
  return <span className={styles.sign}>{row.actor === null ? <Drawn /> : <Avatar name={nameOf(row.actor)} />}</span>
}

/** What the line is about, the newest of it. */
function Swallowed({ items, told }: { readonly items: readonly InboxItem[]; readonly told: number }) {
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <LevelDot level={item.level} />
          <span className={styles.what}>
            <VisibleText text={item.title} />
          </span>
          <span className={styles.short}>{KINDS[item.kind].short}</span>
        </li>
      ))}
      {told > items.length ? <li className={styles.more}>and {told - items.length} more</li> : null}
    </ul>
  )
}
