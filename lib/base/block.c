// SPDX-License-Identifier: MIT
// Blocks: where the values of a struct were typed.

#include "base/document.h"
#include "base/text.h"

static const kane_node *find_value(const kane_block *block, const char *key)
{
    return block->node && key ? kane_node_find(block->node, key) : NULL;
}

kane_place kane_block_place(const kane_block *block, const char *key, int index)
{
    if (!block->node)
        return (kane_place){.file = "", .path = ""};
    const kane_node *value = find_value(block, key);
    if (!value)
        return block->node->place;
    const kane_node *element = index >= 0 ? kane_node_at(value, index) : NULL;
    return element ? element->place : value->place;
}

int kane_block_has(const kane_block *block, const char *key)
{
    return find_value(block, key) != NULL;
}

kane_status kane_block_fault(kane_errors *errors, const kane_block *block, const char *key, const char *format, ...)
{
    char message[sizeof((kane_error *)0)->text];
    kane_text text = kane_text_start(sizeof message, message);
    va_list arguments;
    va_start(arguments, format);
    kane_text_add_list(&text, format, arguments);
    va_end(arguments);
    kane_errors_add_input(errors, KANE_BAD_INPUT, kane_block_place(block, key, -1), "%s", message);
    return KANE_BAD_INPUT;
}
