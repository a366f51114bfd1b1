/** The face of the slice: what compose may see. */
export { createFeedbackProcessor } from './feedback-processor.ts'
export { readUserReport } from './read-feedback.ts'
