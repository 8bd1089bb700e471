# Files of a test executable that are compiled one by one (lanescope_unite): what they name, another one names too.
set(alone_cli documents_test gpu_run_test layout_test plot_test run_test trace_test)
set(alone_compile include_files_test)
set(alone_differential h200_outputs_test h200_textures_test probe_test test_kernels_test)
set(alone_driver image_test)
set(alone_driver_client context_test memory_test order_test runtime_test)
set(alone_emulator convert_test copy_race_test divergence_test float_test grid_race_test group_race_test heap_test
    lane_tree_test memory_test race_test sparse_test stack_test sync_test texture_test uninitialized_test warpgroup_test)
set(alone_export trace_table_test)
set(alone_gui continue_test)  # X11's macros
set(alone_gpu instrument_test launch_images_test timing_test)
set(alone_gpu_trace instrumented_test trace_table_test)
set(alone_launch buffer_text_test image_spec_test)
set(alone_lesson lesson_test live_text_test prose_test)
set(alone_model device_counts_test device_numbers_test device_test partitions_test residency_test sectors_test timing_test
    transactions_test)
set(alone_pipeline own_lesson_test)
set(alone_plot camping_figure_test sector_figure_test totals_figure_test traffic_figure_test wording_test)
set(alone_ptx lower_test opcode_traits_test source_place_test)
set(alone_recordings slice_recording_test)
