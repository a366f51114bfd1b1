import { getHeatMap } from '@firsthand/contract'
import { bind, orBadRequest, type Route } from '../http/index.ts'
import { findDataset } from './datasets.ts'
import { LEVELS_PER_DOUBLING, readHeatMap } from './heat-map.ts'
import { readScope, type ExploreServices } from './scope.ts'
import { typeJson } from './table.ts'

/** How often which values were, over time. */
export const createHeatMapRoute = (services: ExploreServices): Route =>
  bind(getHeatMap, async ({ query, request }) => {
    const dataset = orBadRequest(findDataset(query.dataset))
    const asked = {
      organizationId: request.organization.id,
      dataset,
      name: query.dataset,
      now: services.clock.now(),
    }
    const scope = await readScope(services, asked, query)
    const { buckets, cells, column } = await readHeatMap(services.view, scope, {
      attribute: query.attribute ?? dataset.measured,
      query: query.query ?? '',
    })
    return {
      body: {
        attribute: column.name,
        type: typeJson(column),
        unit: column.unit,
        start: buckets.start * 1000,
        interval: buckets.interval * 1000,
        steps: buckets.count,
        levelsPerDoubling: LEVELS_PER_DOUBLING,
        cells: cells.map((cell): [number, number, number] => [...cell]),
      },
    }
  })
