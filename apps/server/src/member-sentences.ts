const SOME_MISSING = 'Some events cannot be read; the people who run this server are told.'
const REFUSED = 'New events are refused at present; the people who run this server are told.'
const NOT_SHOWN_YET = 'New events are kept but not shown yet; the people who run this server are told.'
const CLOSED =
  'Accounts and issues can neither be read nor changed at present; the people who run this server are told.'

/**
 * What members read of a finding, by its id: what it means for them, without paths, variables and numbers of the whole
 * installation, which only operators read. What concerns one organisation alone, all of its members read whole.
 */
export const MEMBER_SENTENCES: Readonly<Record<string, string>> = {
  data_gone: REFUSED,
  disk_full: REFUSED,
  backlog: REFUSED,
  clock: 'No data is deleted for being old at present; the people who run this server are told.',
  digest: NOT_SHOWN_YET,
  digest_stalled: NOT_SHOWN_YET,
  telemetry: 'Pages with events may be incomplete for a moment.',
  telemetry_damaged: SOME_MISSING,
  telemetry_set_aside: SOME_MISSING,
  telemetry_doubled: 'The server keeps some files twice; the people who run it are told.',
  stores_differ: SOME_MISSING,
  ledger_older: SOME_MISSING,
  ledger_away: CLOSED,
  ledger_unreadable: CLOSED,
  ledger_damaged:
    'Part of the accounts, projects and issues cannot be read at present; the people who run this server are told.',
  ledger_replaced: CLOSED,
  uptime_cut_off:
    'Most addresses cannot be reached from this server, which may be its own network; the people who run it are told.',
}

const OTHER = 'The server has a problem; the people who run it are told.'

export const sentenceForMembers = (id: string): string => MEMBER_SENTENCES[id] ?? OTHER
