import { pictureTexts } from './picture.ja.ts'
import { texts } from './ja.ts'

export const catalogue = { ...texts, ...pictureTexts }
