// SPDX-License-Identifier: MIT
// Blocks: where the values of a struct were typed.

#include "base/json.h"

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
