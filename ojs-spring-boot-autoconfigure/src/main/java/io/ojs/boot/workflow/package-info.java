/**
 * Auto-configuration of workflows.
 */
@NullMarked
package io.ojs.boot.workflow;

import org.jspecify.annotations.NullMarked;
