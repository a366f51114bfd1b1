import { Outlet, useParams } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { TooltipProvider } from '../ui/index.ts'
import { OwnReporting } from './own-reporting.tsx'

export { NoOrganizationPage } from './no-organization-page.tsx'

/** The frame of the organisation in the address, around the screen in the address. */
export function OrganizationFrame() {
  const { org } = useParams({ from: '/signed-in/organizations/$org' })
  return (
    <TooltipProvider>
      <Frame org={org}>
        <Outlet />
        <OwnReporting />
      </Frame>
    </TooltipProvider>
  )
}
