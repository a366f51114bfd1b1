/** Everything that is needed once somebody presses Send: one file, fetched while the form is being filled in. */
export { mend } from '../dialog/mending.ts'
export { createSubmission } from '../dialog/submission.ts'
export { newEventId, reportOf } from './envelope.ts'
export { forgetPictures, keepPictures, readPictures, watchOutbox } from './keep.ts'
export { eventOf } from './report-event.ts'
