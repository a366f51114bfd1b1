/**
 * What a visitor is called by, for the database: one rule for journeys, searches and deletions. E-mail addresses are the
 * same in either case, as in searches of any list; ids and names are not. What is empty names nobody.
 */

const folded = (emails: string): string => `arrayMap(one -> lowerUTF8(one), ${emails})`

/**
 * Segments that name one of these.
 *
 * @param ids an array, as SQL
 * @param emails another one
 */
export const namedSql = (ids: string, emails: string): string =>
  `(user_id != '' AND has(${ids}, user_id) OR user_email != '' AND has(${folded(emails)}, lowerUTF8(user_email)))`

/** The same of replays whose segments are summed up: those of which any segment names one of these. */
export const namedInAnySql = (ids: string, emails: string): string =>
  `(hasAny(arrayFilter(one -> one != '', replays.all_user_id), ${ids})
    OR hasAny(${folded(`arrayFilter(one -> one != '', replays.all_user_email)`)}, ${folded(emails)}))`

/** Of a user; names are no identity where anything better is known. Its parameters are `ids`, `emails` and `name`. */
export const userSql = ({
  emails,
  ids,
}: {
  readonly emails: readonly string[]
  readonly ids: readonly string[]
}): string =>
  ids.length + emails.length === 0
    ? `(user_name != '' AND user_name = {name:String} AND user_id = '' AND user_email = '')`
    : namedSql('{ids:Array(String)}', '{emails:Array(String)}')
