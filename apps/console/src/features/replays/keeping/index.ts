/** How a project keeps its replays: a tab of its settings. Stars and deletions of replays stand beside it, for the list and the page. */
export { DeleteVisitor } from './DeleteVisitor.tsx'
export { ProjectReplays } from './ProjectReplays.tsx'
