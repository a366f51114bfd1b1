export { IssueScreen } from './components/IssueScreen.tsx'
