export { FeedbackScreen } from './components/FeedbackScreen.tsx'
export { find } from './find.ts'
