import { compareBox, getHeatMap } from '@firsthand/contract'
import { badRequest, bind, orBadRequest, type Route } from '../http/index.ts'
import { compareBoxOf } from './box.ts'
import { findDataset } from './datasets.ts'
import { asNumber, LEVELS_PER_DOUBLING, readHeatMap } from './heat-map.ts'
import type { Scope } from './question.ts'
import { readQuestionScope, type ExploreServices } from './scope.ts'
import { typeJson } from './table.ts'

type HeatMapQuery = Parameters<typeof readQuestionScope>[2] & { readonly dataset: string }

/** How often which values were, over time, and what is different in a part of it. */
export const createHeatMapRoutes = (services: ExploreServices): Route[] => {
  const scopeOf = async (organizationId: number, query: HeatMapQuery) => {
    const dataset = orBadRequest(findDataset(services.datasets, query.dataset))
    return readQuestionScope(
      services,
      { organizationId, dataset, name: query.dataset, now: services.clock.now() },
      query,
    )
  }
  const attributeOf = ({ attribute }: { readonly attribute?: string | undefined }, { dataset }: Scope): string => {
    const measured = attribute ?? dataset.measured
    if (measured === undefined) throw badRequest('Name a number, of which the heat map is: attribute=…')
    return asNumber(dataset, measured)
  }
  return [
    bind(getHeatMap, async ({ query, request }) => {
      const scope = await scopeOf(request.organization.id, query)
      const { buckets, cells, column } = await readHeatMap(services.view, scope, {
        attribute: attributeOf(query, scope),
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
          end: Math.min(scope.period.to, services.clock.now()),
          levelsPerDoubling: LEVELS_PER_DOUBLING,
          cells: cells.map((cell): [number, number, number] => [...cell]),
        },
      }
    }),

    bind(compareBox, async ({ query, request }) => {
      const scope = await scopeOf(request.organization.id, query)
      const { differences, ...rest } = await compareBoxOf(services, scope, {
        attribute: attributeOf(query, scope),
        query: query.query ?? '',
        box: { from: query.from, to: query.to, start: query.boxStart, end: query.boxEnd },
      })
      return { body: { ...rest, differences: [...differences] } }
    }),
  ]
}
