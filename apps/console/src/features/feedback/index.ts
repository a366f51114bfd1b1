export { FeedbackScreen } from './components/FeedbackScreen.tsx'
