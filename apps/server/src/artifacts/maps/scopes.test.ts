import { describe, expect, it } from 'vitest'
import { scopesOf } from './scopes.ts'

/** What the innermost function around `HERE` is called. */
const nameIn = (code: string): string | null | undefined => {
  const at = code.indexOf('HERE')
  const innermost = scopesOf(code)?.findLast(({ start, end }) => start <= at && at < end)
  if (innermost === undefined) return undefined
  return innermost.name?.map((part) => (typeof part === 'string' ? part : part.identifier)).join('') ?? null
}

describe('the functions of generated code', () => {
  it.each([
    ['function f(){HERE}', 'f'],
    ['const f=()=>{HERE}', 'f'],
    ['let f=function(){HERE}', 'f'],
    ['let f=function g(){HERE}', 'g'],
    ['a.b.c=function(){HERE}', 'a.b.c'],
    ['a["b"]=()=>HERE', 'a["b"]'],
    ['a[b()]=()=>HERE', 'a[<computed>]'],
    ['this.x=()=>HERE', 'this.x'],
    ['const o={f(){HERE}}', 'o.f'],
    ['const o={f:()=>HERE}', 'o.f'],
    ['const o={a:{b(){HERE}}}', 'o.a.b'],
    ['({f(){HERE}})', 'f'],
    ['const o={get x(){return HERE}}', 'get o.x'],
    ['class C{constructor(){HERE}}', 'new C'],
    ['class C{x=HERE}', 'new C'],
    ['class C{x=()=>HERE}', 'C.x'],
    ['class C{m(){HERE}}', 'C.m'],
    ['class C{static m(){HERE}}', 'C.m'],
    ['class C{get x(){return HERE}}', 'get C.x'],
    ['class C{set x(v){HERE}}', 'set C.x'],
    ['class C{#p(){HERE}}', 'C.#p'],
    ['class C{["a"+b](){HERE}}', 'C.<computed>'],
    ['class C{"key"(){HERE}}', 'C.<"key">'],
    ['class C{1(){HERE}}', 'C.<1>'],
    ['const C=class{m(){HERE}}', 'C.m'],
    ['a.b=class{m(){HERE}}', 'a.b.m'],
    ['function f(x=()=>HERE){}', 'x'],
    ['call(()=>{HERE})', null],
    ['(function(){HERE})()', null],
    ['f(function named(){HERE})', 'named'],
    ['HERE', undefined],
    ['#!/usr/bin/env node\nfunction f(){HERE}', 'f'],
    ['with(a){function f(){HERE}}', 'f'],
    ['async function f(){for await(const a of b)HERE}', 'f'],
  ])('L47 %s is %s', (code, name) => {
    expect(nameIn(code)).toBe(name)
  })

  it('L50 are none of code that cannot be parsed', () => {
    expect(scopesOf('function (')).toBeNull()
    expect(scopesOf('('.repeat(100_000))).toBeNull()
  })

  it('holds what is nested deeply', () => {
    expect(nameIn(`${'function f(){'.repeat(500)}HERE${'}'.repeat(500)}`)).toBe('f')
    expect(nameIn(`const f=()=>${'1+'.repeat(3000)}HERE`)).toBe('f')
  })
})
