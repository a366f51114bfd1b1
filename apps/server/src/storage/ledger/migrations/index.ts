import type { Migration } from '../../migration.ts'
import type { LedgerDialect } from '../dialect.ts'
import { initial } from './0001-initial.ts'
import { issueMarks } from './0002-issue-marks.ts'
import { feedback } from './0003-feedback.ts'
import { feedbackAnswers } from './0004-feedback-answers.ts'

/** In order; a released one is never changed. */
export const ledgerMigrations = (dialect: LedgerDialect): readonly Migration[] => [
  { number: 1, name: 'initial', statements: initial(dialect) },
  { number: 2, name: 'issue marks', statements: issueMarks(dialect) },
  { number: 3, name: 'feedback', statements: feedback(dialect) },
  { number: 4, name: 'feedback answers', statements: feedbackAnswers(dialect) },
]
