/**
 * Jobs that belong together (OJS Workflows): chains, groups and batches, what they are,
 * how they are started, and the engine that goes on with them.
 */
@NullMarked
package io.ojs.workflow;

import org.jspecify.annotations.NullMarked;
