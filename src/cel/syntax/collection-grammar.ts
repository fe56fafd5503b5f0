// Grammar rules for brackets: lists, maps and structs with their elements, entries and fields.

import { GrammarRules } from './grammar-rules.ts';
import { AFTER, FIRST } from './grammar-sets.ts';
import type {
  FieldNode,
  ListNode,
  MapEntryNode,
  MapNode,
  OptionalNode,
  ParseNode,
  SelectNode,
  StructNode,
} from './parse-tree.ts';
import type { Follow } from './recovery.ts';

export abstract class CollectionGrammar extends GrammarRules {
  protected abstract expression(follow: Follow): ParseNode;

  protected list(list: ListNode): void {
    list.open = this.input.take('[', AFTER.elementsStart);
    this.input.expect(FIRST.elements, 'elements');
    if (FIRST.optionalExpression.has(this.next())) {
      const elements: OptionalNode[] = [];
      list.elements = elements;
      this.enter(AFTER.elements);
      elements.push(this.#optionalExpression(AFTER.item));
      while (this.next() === ',' && FIRST.optionalExpression.has(this.input.peek(1).type)) {
        this.input.take(',', AFTER.optionalExpression);
        elements.push(this.#optionalExpression(AFTER.item));
      }
      this.leave();
    }
    this.#close(']', 'list');
  }

  protected map(map: MapNode): void {
    map.open = this.input.take('{', AFTER.entriesStart);
    this.input.expect(FIRST.entries, 'entries');
    if (FIRST.optionalExpression.has(this.next())) {
      const entries: MapEntryNode[] = [];
      map.entries = entries;
      this.enter(AFTER.entries);
      try {
        this.#entry(entries);
        while (this.next() === ',' && FIRST.optionalExpression.has(this.input.peek(1).type)) {
          this.input.take(',', AFTER.optionalExpression);
          this.#entry(entries);
        }
      } catch (fault) {
        this.recover(fault);
      }
      this.leave();
    }
    this.#close('}', 'map');
  }

  #entry(entries: MapEntryNode[]): void {
    const entry: MapEntryNode = { key: this.#optionalExpression(AFTER.key) };
    entries.push(entry);
    entry.colon = this.input.take(':', AFTER.expression, entries.length === 1 ? 'first entry' : 'entry');
    entry.value = this.expression(AFTER.item);
  }

  protected struct(struct: StructNode): void {
    while (this.next() === '.') {
      this.input.take('.', AFTER.name);
      struct.names.push(this.input.take('IDENTIFIER', AFTER.openBrace));
    }
    struct.open = this.input.take('{', AFTER.fieldsStart);
    this.input.expect(FIRST.fields, 'fields');
    if (FIRST.field.has(this.next())) {
      const fields: FieldNode[] = [];
      struct.fields = fields;
      struct.fieldsStart = this.start();
      this.enter(AFTER.entries);
      try {
        this.#field(fields);
        while (this.next() === ',' && FIRST.field.has(this.input.peek(1).type)) {
          this.input.take(',', AFTER.field);
          this.#field(fields);
        }
      } catch (fault) {
        this.recover(fault);
      }
      this.leave();
    }
    this.#close('}', 'struct');
  }

  #field(fields: FieldNode[]): void {
    const field: FieldNode = { start: this.start() };
    fields.push(field);
    this.enter(AFTER.key);
    try {
      this.input.expect(FIRST.field, 'field');
      if (this.next() === '?') {
        field.optional = this.input.take('?', AFTER.names);
      }
      this.fieldName(field, AFTER.end);
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    field.colon = this.input.take(':', AFTER.expression, fields.length === 1 ? 'first field' : 'field');
    field.value = this.expression(AFTER.item);
  }

  /** A last comma and the closing bracket. */
  #close(bracket: ']' | '}', place: string): void {
    this.input.expect(bracket === ']' ? FIRST.listEnd : FIRST.mapEnd, place);
    if (this.next() === ',') {
      this.input.take(',', bracket === ']' ? AFTER.inBrackets : AFTER.inBraces);
    }
    this.input.take(bracket, AFTER.end, place);
  }

  protected fieldName(owner: SelectNode | FieldNode, follow: Follow): void {
    owner.nameStart = this.start();
    this.enter(follow);
    try {
      this.input.expect(FIRST.name, 'name');
      const type = this.next();
      if (!FIRST.name.has(type)) {
        throw this.input.noAlternative(0, 'name');
      }
      owner.name = this.input.take(type, AFTER.end);
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
  }

  #optionalExpression(follow: Follow): OptionalNode {
    const element: OptionalNode = { start: this.start() };
    this.enter(follow);
    try {
      this.input.expect(FIRST.optionalExpression, 'optional');
      if (this.next() === '?') {
        element.optional = this.input.take('?', AFTER.expression);
      }
      element.node = this.expression(AFTER.end);
    } catch (fault) {
      this.recover(fault);
    }
    this.leave();
    return element;
  }
}
