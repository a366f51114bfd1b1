import { useParams } from '@tanstack/react-router'
import { usePageTitle } from '../lib/page-title.ts'
import { ButtonLink, EmptyState, SearchIcon } from '../ui/index.ts'
import { homeOf, useFeatures } from './feature.ts'
import { MainLandmark } from './main-landmark.tsx'

/** The same inside the frame of an organisation: everything else stays within reach. */
export function NotFoundScreen() {
  usePageTitle('Page not found')
  const { org = '' } = useParams({ strict: false })
  const home = homeOf(useFeatures())
  return (
    <EmptyState
      page
      icon={SearchIcon}
      title="This page does not exist"
      action={
        <ButtonLink to={home.page.path} params={{ org }} variant="primary">
          Go to {home.label.toLowerCase()}
        </ButtonLink>
      }
    >
      The address may be mistyped, or what was here is gone.
    </EmptyState>
  )
}

/** An address that leads nowhere, or into an organisation that is not one's own. */
export function NotFoundPage() {
  usePageTitle('Page not found')
  const home = homeOf(useFeatures())
  return (
    <MainLandmark>
      <EmptyState
        page
        icon={SearchIcon}
        title="This page does not exist"
        action={
          <ButtonLink to="/" variant="primary">
            Go to {home.label.toLowerCase()}
          </ButtonLink>
        }
      >
        The address may be mistyped, or it belongs to an organisation that you are not a member of.
      </EmptyState>
    </MainLandmark>
  )
}
