/** The face of the slice: what compose may see. */
export { createFeedbackProcessor } from './feedback-processor.ts'
export { readUserReport } from './read-feedback.ts'
export { createReporterJob } from './reporter-mail.ts'
export { THREAD_PATH, threadToken } from './thread-link.ts'
export { createThreadPage } from './thread-page.ts'
