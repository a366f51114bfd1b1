export { PLATFORMS, platformOf } from './model/platforms.ts'
export { keysQuery, projectQuery } from './queries.ts'
export { GettingStartedScreen } from './components/GettingStartedScreen.tsx'
export { NewProjectScreen } from './components/NewProjectScreen.tsx'
