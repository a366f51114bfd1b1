import { listFeedback } from '@firsthand/contract'
import { api } from '../../lib/api.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, SpeechIcon } from '../../ui/index.ts'
import { plainVisible } from '../../lib/visible-text.ts'

const MOST_REPORTS = 5

/** Reports that have all the words in their message, name, e-mail or address, in whatever mailbox. */
export const find: Find = async (text, { org, navigate, signal }) => {
  const reports = await api.call(listFeedback, {
    params: { org },
    query: { query: text, mailbox: 'all', sort: 'date', limit: MOST_REPORTS },
    signal,
  })
  return reports.map((report): Command => ({
    id: `report-${report.id}`,
    label: plainVisible(report.message.trim()) || 'Without words',
    hint: plainVisible(report.name || report.email || report.project.name),
    group: 'Reports',
    icon: SpeechIcon,
    run: () =>
      void navigate({
        to: '/organizations/$org/feedback',
        params: { org },
        search: { mailbox: 'all', report: report.id },
      }),
  }))
}
