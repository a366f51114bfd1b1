export { IssueStreamScreen } from './components/IssueStreamScreen.tsx'
export { find } from './find.ts'
