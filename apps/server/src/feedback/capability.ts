import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { feedback as tables } from './ledger/migrations/0003-feedback.ts'
import { feedbackAnswers } from './ledger/migrations/0004-feedback-answers.ts'
import { searchedWords } from './ledger/migrations/0006-searched-words.ts'
import { sendersOfReports } from './ledger/migrations/0013-senders-of-reports.ts'
import { sentMails } from './ledger/migrations/0015-sent-mails.ts'
import { momentsOfReports } from './ledger/migrations/0022-moments-of-reports.ts'
import { writersOfReports } from './ledger/migrations/0034-writers-of-reports.ts'
import { LIMITS } from './limits.ts'
import { statements as reportRows } from './telemetry/migrations/0020-feedback-reports.ts'

/** What visitors say, and the team's answers. */
export const feedback: Capability = {
  name: 'feedback',
  limits: LIMITS,
  ledgerMigrations: (dialect) => [
    { number: 3, name: 'feedback', statements: tables(dialect) },
    { number: 4, name: 'feedback answers', statements: feedbackAnswers(dialect) },
    { number: 6, name: 'searched words', statements: searchedWords() },
    { number: 13, name: 'senders of reports', statements: sendersOfReports() },
    { number: 15, name: 'sent mails', statements: sentMails() },
    { number: 22, name: 'moments of reports', statements: momentsOfReports() },
    { number: 34, name: 'writers of reports', statements: writersOfReports(dialect) },
  ],
  telemetryMigrations: [{ number: 20, name: 'feedback reports', statements: reportRows }],
  datasets: async () => [(await import('./telemetry/report-dataset.ts')).reportsDataset],
  agingTables: [{ table: 'feedback_reports', time: 'received' }],
  itemRules: new Map([
    // Reports stand in the ledger; telemetry has a row of each, to be counted.
    [
      'feedback',
      { bytes: INGEST_LIMITS.EVENT_BYTES, perEnvelope: 1, json: 'refuse', tellsPeople: true, isKeptPlain: true },
    ],
    ['user_report', { bytes: INGEST_LIMITS.EVENT_BYTES, json: 'refuse', isKeptPlain: true }],
  ]),
  digest: async (parts) => [(await import('./digest.ts')).createReportItemsOf(parts)],
  serve: async (parts) => (await import('./serve.ts')).serveFeedback(parts),
}
