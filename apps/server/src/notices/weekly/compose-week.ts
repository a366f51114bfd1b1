import type { Block, Message } from '../../channels/index.ts'
import type { Waiting, Week, WeekIssue } from './week.ts'

const DAY_MS = 24 * 60 * 60_000

const dayText = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: zone }).format(at)

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** "Your week: 6 new, 2 worse, 11 fixed, 9 people wrote" */
const headlineOf = ({ counts }: Week, waiting: readonly Waiting[]): string => {
  const parts = [
    counts.new > 0 ? `${counts.new} new` : '',
    counts.worse > 0 ? `${counts.worse} worse` : '',
    counts.fixed > 0 ? `${counts.fixed} fixed` : '',
    counts.back > 0 ? `${counts.back} came back` : '',
    counts.reports > 0 ? plural(counts.reports, 'person wrote', 'people wrote') : '',
  ].filter((part) => part !== '')
  return `Your week: ${parts.length > 0 ? parts.join(', ') : (waiting[0]?.text ?? 'all quiet')}`
}

/** One's weekly report. */
export const composeWeek = (
  week: Week,
  waiting: readonly Waiting[],
  { organizationSlug, organizationName, zone }: { organizationSlug: string; organizationName: string; zone: string },
): Message => {
  const base = `/organizations/${organizationSlug}`
  const issues = (title: string, found: readonly WeekIssue[], count: number): readonly Block[] =>
    found.length === 0
      ? []
      : [
          { kind: 'text', text: count > found.length ? `${title} (${found.length} of ${count})` : title },
          {
            kind: 'list',
            items: found.map(({ id, shortId, title: name, detail }) => ({
              text: `${shortId} ${name}${detail === '' ? '' : ` · ${detail}`}`,
              path: `${base}/issues/${id}`,
            })),
          },
        ]
  const blocks: Block[] = [
    {
      kind: 'text',
      text: `${organizationName}, ${dayText(week.from, zone)} to ${dayText(week.to - 1, zone)}.`,
    },
    ...(waiting.length === 0
      ? []
      : [
          { kind: 'text' as const, text: 'Waits for you' },
          { kind: 'list' as const, items: waiting.map(({ text, path }) => ({ text, path })) },
        ]),
    ...issues('New, and it hurt people', week.new, week.counts.new),
    ...issues('Got worse', week.worse, week.counts.worse),
    ...issues('Came back', week.back, week.counts.back),
    ...issues('Fixed, and it held', week.fixed, week.counts.fixed),
    ...(week.quotes.length === 0 ? [] : [{ kind: 'text' as const, text: 'What people said' }]),
    ...week.quotes.map(({ text, by }) => ({ kind: 'quote' as const, text, by })),
  ]
  return {
    kind: 'report',
    level: 'info',
    headline: headlineOf(week, waiting),
    blocks,
    actions: [{ label: 'Open your inbox', path: `${base}/inbox` }],
    thread: `week:${organizationSlug}:${Math.floor(week.to / DAY_MS)}`,
    stage: 'single',
    reason: 'This is your weekly report, each Monday at 9:00.',
  }
}
