import { feature } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'

const ownershipSettings = screen(() => import('./index.ts'), 'ProjectOwnership')

/** Whose what is in a project, and that new issues are assigned by it. */
export const ownership = feature({
  routes: [],
  projectSettings: [{ value: 'ownership', label: 'Ownership', screen: ownershipSettings }],
})
