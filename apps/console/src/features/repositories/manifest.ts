import { createRoute } from '@tanstack/react-router'
import { feature, type CommandContext } from '../../shell/feature.ts'
import { screen } from '../../shell/navigation/pages.ts'
import { FileIcon, type Command } from '../../ui/index.ts'
import { settingsRoute } from '../settings/manifest.ts'

const code = () => import('./index.ts')
const repositoriesScreen = screen(code, 'RepositoriesSettings')
const sourceCodeSettings = screen(code, 'ProjectSourceCode')

const repositoriesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'repositories',
  loader: ({ context, ...request }) => context.pages.load(request, repositoriesScreen),
  component: repositoriesScreen.component,
})

/** Where the source code is, so that commits and frames lead to it. */
export const repositories = feature({
  routes: [repositoriesRoute],
  commands: repositoryCommands,
  projectSettings: [{ value: 'source-code', label: 'Source code', screen: sourceCodeSettings }],
})

function repositoryCommands({ org, navigate }: CommandContext): readonly Command[] {
  return [
    {
      id: 'go-repositories',
      label: 'Repositories',
      group: 'Go to',
      icon: FileIcon,
      keywords: ['github', 'gitlab', 'gitea', 'bitbucket', 'source code', 'code mappings', 'commits'],
      run: () => void navigate({ to: '/organizations/$org/settings/repositories', params: { org } }),
    },
  ]
}
