export { IssuePeek } from './components/IssuePeek.tsx'
export { IssueScreen } from './components/IssueScreen.tsx'
