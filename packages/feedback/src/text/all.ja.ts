import { pictureTexts } from './picture.ja.ts'
import { texts } from './ja.ts'
import { topicTexts } from './topic.ja.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }
