import type { Selectable } from 'kysely'
import type { Message } from '../../channels/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { asksSomething, type NoticeKind } from '../notice.ts'
import type { NoticeEntryTable, NoticeItemTable } from './schema.ts'

/** What was told of reports that are gone for good is in no inbox, and waits to be mailed to nobody. */

type Item = Selectable<NoticeItemTable>
type Line = Selectable<NoticeEntryTable>

export const forgetReports = async (transaction: LedgerTransaction, reportIds: readonly number[]): Promise<void> => {
  for (const part of chunks(reportIds, ROWS_PER_STATEMENT)) {
    await transaction.deleteFrom('notice_mails').where('report_id', 'in', part).execute()
    const items = await transaction.selectFrom('notice_items').selectAll().where('report_id', 'in', part).execute()
    // That somebody was told stays: nobody is told the same twice.
    await transaction
      .updateTable('notice_items')
      .set({ entry_id: null, report_id: null, title: '', detail: '', path: '' })
      .where('report_id', 'in', part)
      .execute()
    for (const [entryId, gone] of Map.groupBy(items, (item) => item.entry_id)) {
      if (entryId !== null) await countDown(transaction, entryId, gone)
    }
  }
}

/** The line goes that has nothing else to say. */
const countDown = async (transaction: LedgerTransaction, entryId: number, gone: readonly Item[]): Promise<void> => {
  const line = await transaction
    .selectFrom('notice_entries')
    .selectAll()
    .where('id', '=', entryId)
    .executeTakeFirstOrThrow()
  const isCounted = ({ at }: Pick<Item, 'at'>): boolean => at >= line.first_at
  const told = line.told - gone.filter(isCounted).length
  const left = await transaction
    .selectFrom('notice_items')
    .selectAll()
    .where('entry_id', '=', entryId)
    .where('at', '>=', line.first_at)
    .orderBy('id', 'desc')
    .execute()
  const [newest] = left
  if (told <= 0 || newest === undefined) {
    await transaction.deleteFrom('notice_entries').where('id', '=', entryId).execute()
    return
  }
  // A line of many is called by some of them.
  const isCalledBy = gone.some(({ detail }) => detail !== '' && line.title.includes(detail))
  const wasNewest = gone.some(({ id }) => id > newest.id)
  await transaction
    .updateTable('notice_entries')
    .set({
      told,
      waits: line.waits === 1 && left.some(({ kind, actor_id }) => asksSomething(kind as NoticeKind, actor_id)) ? 1 : 0,
      ...(wasNewest || isCalledBy ? asNewest(line, newest) : {}),
    })
    .where('id', '=', entryId)
    .execute()
}

/** The line as it says what was told before. Of that only its first words are known. */
const asNewest = (line: Line, { actor_id, at, detail, kind, level, path, report_id, title }: Item) => {
  const before = JSON.parse(line.message) as Message
  const message: Message = {
    kind: 'other',
    level: level as Message['level'],
    headline: title,
    blocks: detail === '' ? [] : [{ kind: 'text', text: detail }],
    actions: path === '' ? [] : [{ label: 'Open', path }],
    thread: before.thread,
    stage: 'single',
    reason: line.reason,
  }
  return { kind, level, title, actor_id, report_id, last_at: at, message: JSON.stringify(message) }
}
